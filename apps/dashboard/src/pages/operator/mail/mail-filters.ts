import { mail } from '#texts/mail';
import type { Input } from '../../../api/call';

/** Filters as in the URL. */
export interface MailSearch {
  readonly q?: string;
  readonly state?: string;
  readonly kind?: string;
  readonly account?: string;
}

type Query = NonNullable<Input<'listMail'>['query']>;

export const STATES = Object.keys(mail.states) as readonly (keyof typeof mail.states)[];
export const KINDS = Object.keys(mail.kinds) as readonly (keyof typeof mail.kinds)[];

/** Ignores invalid values, so that a mistyped URL still shows mail. */
export function mailQuery({ q, state, kind, account }: MailSearch): Query {
  const [knownState, knownKind] = [STATES.find((name) => name === state), KINDS.find((name) => name === kind)];
  return {
    ...(q === undefined ? {} : { q }),
    ...(knownState === undefined ? {} : { state: knownState }),
    ...(knownKind === undefined ? {} : { kind: knownKind }),
    ...(account === undefined || !/^acct_[A-Za-z0-9_-]{1,64}$/.test(account) ? {} : { account }),
  };
}
