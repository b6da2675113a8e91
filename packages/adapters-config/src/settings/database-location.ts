import { z } from 'zod';

/** Where the database is. */
export interface DatabaseLocation {
  readonly kind: 'sqlite';
  /** A path, relative to the working folder or absolute, or `:memory:`. */
  readonly path: string;
}

const FORM = 'must have the form sqlite:PATH, for example sqlite:./data/tollgate.db';
/** `sqlite:///path` is another way to write the absolute path `sqlite:/path`. */
const SQLITE = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/;

/** Reads `sqlite:PATH`. What is wrong is told without repeating the text, which may contain a password. */
export const databaseLocation: z.ZodType<DatabaseLocation, string> = z.string().transform((text, context) => {
  const path = SQLITE.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite' as const, path };
  context.addIssue(/^postgres(ql)?:/i.test(text) ? `PostgreSQL is not supported by this version; it ${FORM}` : FORM);
  return z.NEVER;
});
