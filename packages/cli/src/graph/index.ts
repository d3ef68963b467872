/** The kinds that the parts of an operator reconcile, own, watch and write, as data, as text and as a drawing. */
export { operatorGraph, type GraphEdge, type OperatorGraph, type Relation } from './operator-graph.ts'
export { graphSvg } from './draw-graph.ts'
export { graphMermaid, graphText } from './print-graph.ts'
