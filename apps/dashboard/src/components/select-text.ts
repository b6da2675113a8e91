export function selectText(element: HTMLElement | null): void {
  const selection = window.getSelection();
  if (element === null || selection === null) return;
  selection.selectAllChildren(element);
}
