/** Lays out graphs off the page's main thread: hundreds of dense nodes take seconds. */
import { Graph, layout } from "@dagrejs/dagre";
import { inPlanOrder } from "./in-plan-order.ts";
import type { LayoutMessage, LayoutReply, LayoutRequest, Position } from "./layout-types.ts";

addEventListener("message", ({ data }: MessageEvent<LayoutMessage>) => {
  const reply: LayoutReply = { requestId: data.requestId, positions: positionsOf(data) };
  postMessage(reply);
});

function positionsOf({ ids, edges, direction, size }: LayoutRequest): [string, Position][] {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction, nodesep: size.gapAcross, ranksep: size.gapAlong });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { width: size.width, height: size.height });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const centres = ids.map((id): [string, Position] => {
    // dagre returns a node's centre.
    const { x, y } = graph.node(id) as Position;
    return [id, { x: x - size.width / 2, y: y - size.height / 2 }];
  });
  return inPlanOrder(centres, direction);
}
