import { storedText, storeText } from './stored-text';

const KEPT_AS = 'playground';

/** Prevents the page from storing the conversation again when it is left. */
let isSignedOut = false;

/** Stores the conversation for this tab and person; `null` removes it. Stores nothing after a sign-out. */
export function keepConversation(person: string, text: string | null): void {
  if (isSignedOut && text !== null) return;
  storeText('sessionStorage', KEPT_AS, text === null ? null : JSON.stringify([person, text]));
}

/** The conversation that the person has stored for this tab; `null` if there is none, or if another person stored it. */
export function keptConversation(person: string): string | null {
  try {
    const [owner, text] = JSON.parse(storedText('sessionStorage', KEPT_AS) ?? '[]') as readonly unknown[];
    return owner === person && typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** Called at a sign-out, after which the browser loads the page again. */
export function forgetConversations(): void {
  isSignedOut = true;
  keepConversation('', null);
}
