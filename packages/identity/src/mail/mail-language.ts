/** Languages of messages. The pages have the same (`apps/dashboard/src/locale/languages.ts`). */
export const MAIL_LANGUAGES = ['en', 'de'] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** Language for people whose language is unknown. */
export const DEFAULT_MAIL_LANGUAGE: MailLanguage = 'en';
