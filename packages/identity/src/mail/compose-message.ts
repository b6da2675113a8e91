import { type Instant, invariant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, rfc3339, utcDayOf } from '@tollgate/core';
import { type MailSite, siteOf } from './dashboard-links.js';
import type { MailContent } from './mail.js';
import type { MailName, PlaceholderValues } from './mail-names.js';
import { fillTemplate, type MessageTexts } from './mail-templates.js';

type PartsOf<Name extends MailName> = MessageTexts & {
  readonly name: Name;
  /** Of the placeholders, for a text that replaces this one. */
  readonly values: PlaceholderValues<Name>;
};

export type MessageParts = { readonly [Name in MailName]: PartsOf<Name> }[MailName];

const PAGE_STYLE = 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif';
const LINK_STYLE = 'display:inline-block;padding:10px 16px;border-radius:6px;background:#1a56db;color:#ffffff;text-decoration:none';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function paragraphsOf(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `<p>${escaped(text)}</p>`);
}

/** A button, and the URL as text. */
function htmlLink({ label, url }: NonNullable<MessageTexts['link']>): readonly string[] {
  const href = escaped(url);
  return [`<p><a href="${href}" style="${LINK_STYLE}">${escaped(label)}</a></p>`, `<p style="word-break:break-all">${href}</p>`];
}

/** In the operator's words where `templates` has the message. Text and HTML have the same content; the HTML loads nothing. */
export function composeMessage({ name, values, ...own }: MessageParts, { baseUrl, product, templates }: MailSite): MailContent {
  const template = templates?.get(name);
  const { subject, beforeLink, link, afterLink } = template === undefined ? own : fillTemplate(template, { ...values, product, site: siteOf(baseUrl) }, own.link);
  const text = [...beforeLink, ...(link === null ? [] : [link.url]), ...afterLink].join('\n\n');
  const html = [
    `<!doctype html>`,
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body style="${PAGE_STYLE}">`,
    ...paragraphsOf(beforeLink), ...(link === null ? [] : htmlLink(link)), ...paragraphsOf(afterLink),
    '</body></html>',
  ].join('\n');
  return { kind: name, subject, text: `${text}\n`, html: `${html}\n` };
}

const UNITS = [[MILLISECONDS_PER_DAY, 'day'], [MILLISECONDS_PER_HOUR, 'hour'], [MILLISECONDS_PER_MINUTE, 'minute']] as const;

/** `15 minutes`, `1 hour`, `7 days`: the largest unit that divides it. */
export function durationText(milliseconds: number): string {
  const [size, name] = UNITS.find(([unit]) => milliseconds % unit === 0) ?? [0, ''];
  invariant(size > 0 && milliseconds > 0, 'the lifetime of a link is in whole minutes');
  const count = milliseconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** About expiry and single use. */
export function linkTerms(lifetimeMilliseconds: number): string {
  return `The link works once and expires in ${durationText(lifetimeMilliseconds)}.`;
}

/** `2026-11-22 at 19:05 UTC` */
export function momentText(at: Instant): string {
  return `${utcDayOf(at)} at ${rfc3339(at).slice(11, 16)} UTC`;
}
