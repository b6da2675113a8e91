import { Anchor } from '@mantine/core';
import { common } from '#texts/common';
import { isApiError } from '../api/api-error';
import { CopyId } from './copy-id';
import { type Fields, needsNewSession, problemOf } from './form-errors';
import { Note } from './note';

interface FormProblemProps {
  readonly error: unknown;
  /** Contract names of fields that show their own errors. */
  readonly fields?: Fields;
  /** Faults of fields that the form does not show now. */
  readonly hidden?: readonly string[];
  /** True if the form verifies a password, code or passkey. The gateway's reason for the end of a session is then shown. */
  readonly provesPerson?: boolean;
}

export function FormProblem({ error, fields = [], hidden = [], provesPerson = false }: FormProblemProps) {
  if (needsNewSession(error, provesPerson)) return <SignedOut />;
  const problem = [problemOf(error, fields), ...hidden].filter((text) => text !== null).join(' ');
  if (problem === '') return null;
  const failedAt = isApiError(error) && error.status >= 500 ? error.requestId : null;
  return <Note kind="bad" role="alert">{problem}{failedAt !== null && <> <CopyId id={failedAt} /></>}</Note>;
}

/** Links to sign-in in a new tab, so that this page keeps the typed text. */
function SignedOut() {
  return (
    <Note kind="warning" role="alert" action={<Anchor href="/dashboard/sign-in" target="_blank" inherit>{common.signIn}</Anchor>}>{common.signedOut}</Note>
  );
}
