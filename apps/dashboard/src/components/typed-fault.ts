import { common } from '#texts/common';

const MIN_PASSWORD = 8;
const ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/;

/** `null` for a text that is not blank. */
export function blankFault(text: string): string | null {
  return text.trim() === '' ? common.fieldRequired : null;
}

/** Faults of an address that the page can find; the gateway checks the rest. */
export function emailFault(text: string): string | null {
  return blankFault(text) ?? (ADDRESS.test(text.trim()) ? null : common.emailInvalid);
}

/** Faults of a new password that the page can find; the gateway checks the rest. */
export function newPasswordFault(text: string): string | null {
  if (text === '') return common.fieldRequired;
  return Array.from(text.normalize('NFKC')).length < MIN_PASSWORD ? common.passwordShort(MIN_PASSWORD) : null;
}
