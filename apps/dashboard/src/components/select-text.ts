/** Selects the text of an element, so that Ctrl+C copies it. */
export function selectText(element: HTMLElement | null): void {
  const selection = window.getSelection();
  if (element === null || selection === null) return;
  selection.selectAllChildren(element);
}
