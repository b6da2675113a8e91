import { invariant } from '@tollgate/core';
import { durationText } from './compose-message.js';

/** What every link with a token has in common. */
export function linkTerms(lifetimeMilliseconds: number): string {
  return `The link works once and expires in ${durationText(lifetimeMilliseconds)}.`;
}

/** Pages of the dashboard that a link with a token opens. */
export type TokenPage = 'link' | 'verify' | 'reset' | 'invite' | 'change-email';

const TOKEN = /^[A-Za-z0-9_-]+$/;

/** The dashboard of an installation; `baseUrl` is where clients reach it, such as `https://api.example.com`. */
export function dashboardUrl(baseUrl: string): string {
  return `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/dashboard`;
}

/**
 * A link that carries a token. It stands in the fragment, which browsers send to no server: it is in no access log and no Referer,
 * and a program that follows links in mail spends nothing.
 */
export function dashboardLink(baseUrl: string, page: TokenPage, token: string): string {
  invariant(TOKEN.test(token), 'a token is letters, digits, - and _, so that it can stand in a link');
  return `${dashboardUrl(baseUrl)}/${page}#token=${token}`;
}

/** The installation as its users know it: `api.example.com`. */
export function siteOf(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/**
 * What a message with a link is made of. No name that a person has given is among it: anyone can sign up with another person's address,
 * and a name could then carry their words to that person.
 */
export interface LinkMessage {
  /** Where clients reach the installation. */
  readonly baseUrl: string;
  readonly token: string;
  /** Whole minutes. */
  readonly lifetimeMilliseconds: number;
}
