const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"]';
const LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a key was pressed for the page: not in a field, not in an open dialog or menu, and not together with Ctrl, Alt or Meta. */
export function isForPage({ defaultPrevented, ctrlKey, altKey, metaKey, target }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || altKey || metaKey) return false;
  return !(target instanceof Element && target.closest(FIELDS) !== null) && document.querySelector(LAYERS) === null;
}

/** Whether the focus is on nothing that Enter already does something with. */
export function isOutsideControls({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target.closest('a, button, summary') === null;
}
