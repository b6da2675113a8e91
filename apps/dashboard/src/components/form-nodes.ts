const FOCUSABLE = 'input:not([type="hidden"]), textarea, select, button';

/** The node itself, or the first one in it that can take the focus; `null` if there is none. */
export function focusableIn(node: HTMLElement): HTMLElement | null {
  return node.matches(FOCUSABLE) ? node : node.querySelector<HTMLElement>(FOCUSABLE);
}

/** Compares nodes by their position in the document, for sorting. */
export function byPosition(first: Node, second: Node): number {
  return (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 1 : -1;
}
