import { refuseField } from '@tollgate/core';
import { type Password, requirePassword } from './password.js';

/** Characters that people type instead of letters. `1` and `!` are ambiguous and handled separately. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's' };
const MIN_PART = 3;
/** Minimum number of letters that are not part of the address. */
const MIN_OTHER_LETTERS = 4;
const NO_LETTER = /[^\p{L}]/gu;

/** Address, local part, domain labels except the last, and their parts: only their letters, at least three, the longest first. */
function partsOf(email: string): readonly string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const names = domain.split('.').slice(0, -1);
  const parts = [email.toLowerCase(), local, ...local.split(/[^\p{L}\p{N}]+/u), ...names, ...names.flatMap((name) => name.split('-'))].map(lettersOf);
  return [...new Set(parts)].filter((part) => part.length >= MIN_PART).toSorted((first, second) => second.length - first.length);
}

function lettersOf(text: string): string {
  return text.replaceAll(NO_LETTER, '');
}

/** The text without look-alikes, in all readings of `1` and `!`. */
function readingsOf(text: string): readonly string[] {
  const plain = Array.from(text, (character) => LOOK_ALIKES[character] ?? character).join('');
  return [text, plain.replaceAll(/[1!]/g, 'i'), plain.replaceAll(/[1!]/g, 'l')].map(lettersOf);
}

/** True if the password consists of the address or its parts, with few other letters. */
export function isMadeOfAddress(password: string, email: string): boolean {
  const parts = partsOf(email);
  return readingsOf(password.toLowerCase()).some((reading) => {
    const rest = parts.reduce((text, part) => text.replaceAll(part, ''), reading);
    return rest !== reading && rest.length < MIN_OTHER_LETTERS;
  });
}

/** Rules for new passwords. The verdict depends only on the input and the person's address. */
export class PasswordRules {
  constructor(private readonly common: CommonPasswords) {}

  /** Throws `invalid_request` that names the field. */
  async require(typed: string, param: string, email: string): Promise<Password> {
    const password = requirePassword(typed, param);
    if (await this.common.has(password.toLowerCase())) throw refuseField(param, 'is one of the most common passwords. Choose another one', { code: 'common_password' });
    if (isMadeOfAddress(password, email)) throw refuseField(param, 'is derived from your e-mail address. Choose another one', { code: 'password_like_address' });
    return password;
  }
}

export interface CommonPasswords {
  has(lowerCase: string): Promise<boolean>;
}
