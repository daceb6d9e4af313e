/** Two drafts that a critic rejects, and a third one that will do. */
import { findingsText, type ModelScript } from "@planwright/testkit";

export const script: ModelScript = {
  write: [
    "The Ridge 2 is a tent.",
    "The Ridge 2 is a tent of 1.9 kg.",
    "The Ridge 2 is a tent for hikers who count grams. It weighs 1.9 kg.",
  ],
  step_review: [
    findingsText({
      approved: false,
      score: 0.2,
      issues: ["The weight is missing."],
      suggestion: "Name the weight.",
    }),
    findingsText({ approved: false, score: 0.6, issues: ["It does not say for whom the tent is."] }),
    findingsText({ approved: true, score: 0.95, confidence: 0.9 }),
  ],
};
