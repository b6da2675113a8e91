const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"]';
const LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Readers can switch keys of a single letter off; the choice is kept by the dialog that lists them. */
function areLettersOff(): boolean {
  try {
    return localStorage.getItem('single-keys') === 'false';
  } catch {
    return false;
  }
}

/** Whether a key was pressed for the page: not in a field, not in an open dialog or menu, and not together with Ctrl, Alt or Meta. */
export function isForPage({ defaultPrevented, ctrlKey, altKey, metaKey, target, key }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || altKey || metaKey || (key.length === 1 && areLettersOff())) return false;
  return !(target instanceof Element && target.closest(FIELDS) !== null) && ![...document.querySelectorAll(LAYERS)].some((layer) => layer.checkVisibility());
}

/** Whether the focus is on nothing that Enter already does something with. */
export function isOutsideControls({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target.closest('a, button, summary') === null;
}
