/** Content words: wherever one of them is in a goal, it must be in the query or in the passage, or be refused. */
export const CONTENT_WORDS: readonly string[] = `
  never available former twice almost expected online domestic annual unless least new old young big small large long short
  high low early late recent previous final initial main major minor current past future existing missing empty full
  open closed active inactive valid invalid unpaid free cheap expensive local foreign international national regional global
  central northern southern upper lower inner outer hourly seasonal regular irregular special normal standard typical usual
  rare frequent double triple multiple several few neither half most less enough approximate rough estimated planned actual
  real net gross partial whole entire incomplete always often sometimes rarely seldom usually normally typically mostly mainly
  largely partly fully completely nearly roughly around approximately down off away apart alone separately individually jointly
  respectively again once thrice already still soon later earlier ago while whether if because although though despite beyond
  instead rather quite such even ever hardly barely simply directly indirectly personally officially internally externally
  privately publicly red green blue black white golden silver dark heavy clean dirty wet dry hot cold warm cool fast slow strong
  weak hard soft good bad better worse popular famous favourite important urgent critical serious severe mild safe dangerous
  male female adult child senior junior professional amateur temporary permanent certified licensed verified approved rejected
  pending cancelled damaged broken repaired lost stolen rented unused finished delivered shipped booked reserved attended completed
  failed passed won rate ratio proportion count mean median maximum minimum range variance forecast target limit capacity size
  length width age fee profit loss employee owner visitor supplier department company country city house room building
  weekend holiday morning evening night summer winter spring autumn yesterday today tomorrow wholesale retail premium organic
  digital electronic manual automatic mobile remote unlike against versus minus divided times possibly probably maybe perhaps
  likely unlikely supposedly allegedly reportedly remaining leftover extra additional further another similar equal unique
  decade self-employed tax-free ordinary consecutive simultaneous overlapping duplicate repeated nearby distant separate shared
  former-owned halved doubled weighted adjusted projected cumulative rolling outstanding overdue due unresolved recurring
  lifetime median-priced discounted-only loyal reluctant alleged so-called would-be first-time second-hand brand-new
  nowhere everywhere elsewhere abroad upstairs underwater overnight indoors outdoors
  hypothetically assuming provided supposing barring pending notwithstanding
  wooden metal plastic paper leather cotton Japanese Italian Victorian medieval modern ancient rural urban coastal alpine`
  .trim()
  .split(/\s+/);

/** Additional requests, as a second half or as a condition. */
export const SECOND_HALVES: readonly string[] = [
  "and why",
  "and for what reason",
  "and by whom",
  "and where",
  "and how often",
  "and who did it",
  "and which is the cheapest",
  "and what happens then",
  "as well as its colour",
  "and what is its colour",
  "compared with last year",
  "compared to plan",
  "or not",
  "and vice versa",
  "respectively",
  "if it rains",
  "unless it is a holiday",
  "in a row",
  "at the same time",
  "for the first time",
  "more than once",
  "at least twice",
  "rounded to thousands",
  "per person",
  "as planned",
  "by accident",
  "before noon",
  "ahead of schedule",
  "one by one",
  "on paper",
  "instead",
  "at the moment",
  "by far",
];
