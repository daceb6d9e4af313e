/** Movie recommendations: which of four movies is most similar to four others. */
import { Items, type Question, type Search } from "./question.ts";

const START = "Find a movie similar to ";
/** Titles in the data set that contain a comma, which otherwise separates titles. */
const WITH_COMMA = ["Monsters, Inc", "Lock, Stock & Two Smoking Barrels"];

/** @throws {RangeError} When a question does not have four titles and four options. */
export function readMovies(dataset: string): Question[] {
  return Items.parse(JSON.parse(dataset)).map(({ id, question, answer }) => {
    const [head = "", ...options] = question.split("\n").filter((line) => line !== "" && line !== "Options:");
    const titles = titlesOf(head.slice(START.length));
    if (!head.startsWith(START) || titles.length !== 4 || options.length !== 4) {
      throw new RangeError(`question ${id}: wanted four titles and four options`);
    }
    return {
      id,
      text: question.trim(),
      label: answer,
      searches: [...titles, ...options].map(searchOf),
      calculations: [],
      answer,
    };
  });
}

function titlesOf(text: string): string[] {
  const marked = WITH_COMMA.reduce((rest, title) => rest.replaceAll(title, title.replace(", ", ",")), text);
  return marked.split(", ").map((title) => title.replace(/,(?=\S)/, ", "));
}

/** About as long as the start of an encyclopedia article. */
function searchOf(title: string): Search {
  return {
    query: title,
    text:
      `${title} is a feature film. It was received well by most critics of its time and is remembered for its story, its ` +
      "cast and its pictures. Reviews praised the direction and the script; audiences of several countries saw it in large " +
      "numbers, and it has been shown on television many times since. The article names its genre, its cast and its awards.",
  };
}
