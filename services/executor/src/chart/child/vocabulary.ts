/** The words of Vega-Lite that a spec may use; a wrong one would be dropped or fail without a place. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** All but `image`, which would make its viewers' browsers load what it names. */
export const MARKS = words(
  "arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail",
);

/** All but `href` and `url`, for the same reason. */
export const CHANNELS = words(
  "angle color column description detail facet fill fillOpacity key latitude latitude2 longitude longitude2 opacity order radius " +
    "radius2 row shape size stroke strokeDash strokeOpacity strokeWidth text theta theta2 tooltip time x x2 xError xError2 xOffset y y2 yError yError2 yOffset",
);

export const TYPES = words("quantitative temporal ordinal nominal geojson");

export const AGGREGATES = words(
  "argmax argmin average count distinct exponential exponentialb max mean median min missing product q1 q3 ci0 ci1 stderr stdev stdevp sum valid values variance variancep",
);
