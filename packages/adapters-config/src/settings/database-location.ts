import { z } from 'zod';

/** A local file, or a server that gateways share. */
export type DatabaseLocation =
  | {
    readonly kind: 'sqlite';
    /** Absolute or relative, or `:memory:`. */
    readonly path: string;
  }
  | {
    readonly kind: 'postgres';
    /** May contain a password. */
    readonly url: string;
  };

const DATABASE_FORM = 'must have the form sqlite:PATH, for example sqlite:./data/tollgate.db, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE';
/** `sqlite:///path` means the same as `sqlite:/path`. */
const SQLITE = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/;
/** User, password, port and parameters are optional. So is the host, because a parameter may name a socket. */
const POSTGRES = /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?[^@/?#\s]*\/[^/?#\s]+(?:\?[^#\s]*)?$/i;

/** `sqlite:PATH` or `postgresql://…`. The error never repeats the text, which may contain a password. */
export const databaseLocation: z.ZodType<DatabaseLocation, string> = z.string().transform((text, context) => {
  const path = SQLITE.exec(text)?.[1];
  if (path !== undefined) return { kind: 'sqlite' as const, path };
  if (POSTGRES.test(text)) return { kind: 'postgres' as const, url: text };
  context.addIssue(DATABASE_FORM);
  return z.NEVER;
});
