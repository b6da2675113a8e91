import { invariant } from '@tollgate/core';
import { DEFAULT_MAIL_LANGUAGE, type MailLanguage } from './mail-language.js';
import type { MailLook } from './mail-look.js';
import type { MailTemplates } from './mail-templates.js';
import { OWN_TOKEN_WORD, type TokenWord } from './token-word.js';

/** Page of the dashboard that takes a token. */
export type TokenPage = 'link' | 'verify' | 'reset' | 'invite' | 'change-email';

const TOKEN = /^[A-Za-z0-9_-]+$/;

/** `baseUrl`: the installation's public address, `https://api.example.com`. */
export function dashboardUrl(baseUrl: string): string {
  return `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/dashboard`;
}

/**
 * The token is in the fragment, which browsers do not send: no access log or Referer contains it, and link scanners of mail servers do not
 * use it up.
 */
export function dashboardLink(baseUrl: string, page: TokenPage, token: string): string {
  invariant(TOKEN.test(token), 'a token is letters, digits, - and _, so that it can stand in a link');
  return `${dashboardUrl(baseUrl)}/${page}#token=${token}`;
}

/** The host of the installation, with its port if it has one: `api.example.com`. */
export function siteOf(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** The installation, as its messages present it. */
export interface MailSite {
  /** Public address of the installation. */
  readonly baseUrl: string;
  /** Name of the service. */
  readonly product: string;
  /** The operator's own texts. */
  readonly templates?: MailTemplates;
  /** Default: English. */
  readonly language?: MailLanguage | undefined;
  /** Default: the product's own. */
  readonly tokenWord?: TokenWord;
  /** Default: Tollgate's own colours, without a picture. */
  readonly look?: MailLook;
}

/** The site for a reader whose language may be unknown. */
export function siteIn(site: MailSite, language: MailLanguage | null): MailSite {
  return { ...site, language: language ?? undefined };
}

const OWN_WORD: Readonly<Record<MailLanguage, string>> = { en: OWN_TOKEN_WORD.many, de: 'Service-Tokens' };

/** Plural of what service tokens are called. The operator's word is the same in every language. */
export function tokensWord({ tokenWord = OWN_TOKEN_WORD, language = DEFAULT_MAIL_LANGUAGE }: Pick<MailSite, 'tokenWord' | 'language'>): string {
  return tokenWord.many === OWN_TOKEN_WORD.many ? OWN_WORD[language] : tokenWord.many;
}

/** What a message with a link is made of. It has no name entered by a user, who could otherwise send any text to another person's address. */
export interface LinkMessage extends MailSite {
  readonly token: string;
  /** A multiple of a minute. */
  readonly lifetimeMilliseconds: number;
}
