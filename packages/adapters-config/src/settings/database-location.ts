import { z } from 'zod';

/** Where the database is: a file of this machine, or a server that several gateways may share. */
export type DatabaseLocation =
  | {
    readonly kind: 'sqlite';
    /** A path, relative to the working folder or absolute, or `:memory:`. */
    readonly path: string;
  }
  | {
    readonly kind: 'postgres';
    /** As it was written. May contain a password. */
    readonly url: string;
  };

const FORM = 'must have the form sqlite:PATH, for example sqlite:./data/tollgate.db, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE';
/** `sqlite:///path` is another way to write the absolute path `sqlite:/path`. */
const SQLITE = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/;
/** Users, passwords, ports and parameters may be left out, and so may the host, for a socket that a parameter names. */
const POSTGRES = /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?[^@/?#\s]*\/[^/?#\s]+(?:\?[^#\s]*)?$/i;

/** Reads `sqlite:PATH` or `postgresql://…`. What is wrong is told without repeating the text, which may contain a password. */
export const databaseLocation: z.ZodType<DatabaseLocation, string> = z.string().transform((text, context) => {
  const path = SQLITE.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite' as const, path };
  if (POSTGRES.test(text)) return { kind: 'postgres' as const, url: text };
  context.addIssue(FORM);
  return z.NEVER;
});
