import type { AccountId } from '../ids.js';

/** Longest address that mail can be sent to (RFC 5321, section 4.5.3.1.3). */
const EMAIL_MAXIMUM_LENGTH = 254;

/** Whether the text is one `@` between something and a host name. Whether mail arrives, only a verification can tell. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && at < text.length - 1 && text.length <= EMAIL_MAXIMUM_LENGTH && !/[\s\p{Cc}]/u.test(text);
}

/** The form in which two spellings of one address are equal. */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}

/** What stands for the address of an account whose owner was erased; nobody can sign up with it. */
export function erasedEmail(id: AccountId): string {
  return `erased:${id}`;
}
