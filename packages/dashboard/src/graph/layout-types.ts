export type Position = { readonly x: number; readonly y: number };

/** Left to right where there is room, top to bottom on narrow screens. */
export type Direction = "LR" | "TB";

export type NodeSize = {
  readonly width: number;
  readonly height: number;
  /** Between layers. */
  readonly gapAlong: number;
  /** Between the nodes of one layer. */
  readonly gapAcross: number;
};

export type LayoutRequest = {
  readonly ids: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly direction: Direction;
  readonly size: NodeSize;
};

export type LayoutMessage = LayoutRequest & { readonly requestId: number };
export type LayoutReply = {
  readonly requestId: number;
  readonly positions: readonly (readonly [string, Position])[];
};
