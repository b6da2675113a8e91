import { simpleParser } from 'mailparser';

/** A message as its recipient's program reads it. */
export interface ReceivedMail {
  readonly raw: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** Unix milliseconds. */
  readonly date: number;
  /** Names of all headers, in lower case. */
  readonly headerNames: readonly string[];
}

function textOf(addresses: { readonly text: string } | readonly { readonly text: string }[] | undefined): string {
  return [addresses ?? []].flat().map(({ text }) => text).join(', ');
}

export async function parseMail(raw: string): Promise<ReceivedMail> {
  const parsed = await simpleParser(raw);
  return {
    raw,
    from: textOf(parsed.from),
    to: textOf(parsed.to),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: typeof parsed.html === 'string' ? parsed.html : '',
    messageId: parsed.messageId ?? '',
    date: parsed.date?.getTime() ?? Number.NaN,
    headerNames: parsed.headerLines.map(({ key }) => key),
  };
}
