/** The parts of a hast node that are used here. */
export interface HastNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HastNode[];
}

/** The text inside of a node, as it is written. */
export const textIn = ({ type, value = '', children = [] }: HastNode): string => (type === 'text' ? value : children.map(textIn).join(''));

/** Calls a function for every element of a tree, outer ones first. */
export function eachElement(node: HastNode, visit: (element: HastNode) => void): void {
  if (node.type === 'element') visit(node);
  for (const child of node.children ?? []) eachElement(child, visit);
}

/**
 * Replaces nodes all over a tree, inner ones first.
 * @param replace returns what stands for the node from now on: itself, others, or nothing
 */
export function replaceNodes(node: HastNode, replace: (child: HastNode, parent: HastNode) => HastNode[]): void {
  if (!node.children) return;
  for (const child of node.children) replaceNodes(child, replace);
  node.children = node.children.flatMap((child) => replace(child, node));
}

export const element = (tagName: string, children: HastNode[], properties: Record<string, unknown> = {}): HastNode => ({
  type: 'element',
  tagName,
  properties,
  children,
});
