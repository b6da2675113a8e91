import { storedText } from '../session/stored-text';

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"]';
const LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** True if the person has turned single-letter shortcuts off, in the shortcuts dialog. */
function areLettersOff(): boolean {
  return storedText('localStorage', 'single-keys') === 'false';
}

/** False for a hidden layer, and while a layer fades out: Mantine sets the final opacity when the fade begins. */
function isOpen(layer: HTMLElement): boolean {
  return layer.checkVisibility() && layer.style.opacity !== '0';
}

/**
 * True if a key is a shortcut of the page. False in fields, while a dialog or menu is open, with Ctrl, Alt or Meta, and for letters if they are
 * turned off.
 */
export function isForPage({ defaultPrevented, ctrlKey, altKey, metaKey, target, key }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || altKey || metaKey || (key.length === 1 && areLettersOff())) return false;
  return !(target instanceof Element && target.closest(`${FIELDS}, ${LAYERS}`) !== null) && ![...document.querySelectorAll<HTMLElement>(LAYERS)].some(isOpen);
}

/** True if Enter has no effect on the focused element. */
export function isOutsideControls({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target.closest('a, button, summary') === null;
}
