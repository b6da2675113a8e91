import { snippetsFor } from '../../components/snippets';

/** Ids of the snippets that are offered. */
export const FIRST_LANGUAGES = ['curl', 'openai-js', 'openai-python'] as const;
export type FirstLanguage = (typeof FIRST_LANGUAGES)[number];

interface FirstCommandInput {
  readonly secret: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly language: FirstLanguage;
}

/** Wraps a snippet so that a terminal runs it without a file; `null` if it is a command already. */
const RUN: Readonly<Record<FirstLanguage, ((code: string) => string) | null>> = {
  curl: null,
  'openai-js': (code) => `node --input-type=module <<'EOF'\n${code}\nEOF`,
  'openai-python': (code) => `python3 - <<'EOF'\n${code}\nEOF`,
};

/** Commands for a terminal that send the first request. */
export function firstCommand({ secret, baseUrl, model, language }: FirstCommandInput): string {
  const { code, install } = snippetsFor({ baseUrl, model, format: 'chat' }).find(({ id }) => id === language) ?? { code: '', install: null };
  return [`export KEY=${secret}`, ...(install === null ? [] : [install]), RUN[language]?.(code) ?? code].join('\n');
}

/** For example `sk-Q2••••••CwDk`. */
export function maskedSecret(secret: string): string {
  return `${secret.slice(0, 5)}••••••${secret.slice(-4)}`;
}
