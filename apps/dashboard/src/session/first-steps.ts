import { storeText, useStoredText } from './stored-text';

function nameOf(account: string): string {
  return `first-steps:${account}:closed`;
}

/** Closes the card, in this browser only. */
export function closeFirstSteps(account: string): void {
  storeText('localStorage', nameOf(account), '1');
}

export function useFirstStepsClosed(account: string): boolean {
  return useStoredText(nameOf(account)) !== null;
}
