import { Anchor } from '@mantine/core';
import { common } from '#texts/common';
import { isApiError } from '../api/api-error';
import { CopyId } from './copy-id';
import { needsNewSession, problemOf } from './form-errors';
import { Note } from './note';

interface FormProblemProps {
  readonly error: unknown;
  /** Fields that show their own problems, by the names of the contract. */
  readonly fields?: readonly string[] | Readonly<Record<string, string>>;
  /** The form proves who its person is, by a password, a code or a passkey: a session that ends here ends for the reason that the gateway gives. */
  readonly provesPerson?: boolean;
}

/** Says in a form or dialog what was refused, unless a field of it does. */
export function FormProblem({ error, fields = [], provesPerson = false }: FormProblemProps) {
  if (needsNewSession(error, provesPerson)) return <SignedOut />;
  const problem = problemOf(error, fields);
  if (problem === null) return null;
  const failedAt = isApiError(error) && error.status >= 500 ? error.requestId : null;
  return <Note kind="bad" role="alert">{problem}{failedAt !== null && <> <CopyId id={failedAt} /></>}</Note>;
}

/** Leads to sign-in in another tab, so that what was typed here stays. */
function SignedOut() {
  return (
    <Note kind="warning" role="alert" action={<Anchor href="/dashboard/sign-in" target="_blank" inherit>{common.signIn}</Anchor>}>{common.signedOut}</Note>
  );
}
