import { isApiError } from '../api/api-error';
import { CopyId } from './copy-id';
import { problemOf } from './form-errors';
import { Note } from './note';

interface FormProblemProps {
  readonly error: unknown;
  /** Fields that show their own problems, by the names of the contract. */
  readonly fields?: readonly string[] | Readonly<Record<string, string>>;
}

/** Says in a form or dialog what was refused, unless a field of it does. */
export function FormProblem({ error, fields = [] }: FormProblemProps) {
  const problem = problemOf(error, fields);
  if (problem === null) return null;
  const failedAt = isApiError(error) && error.status >= 500 ? error.requestId : null;
  return <Note kind="bad" role="alert">{problem}{failedAt !== null && <> <CopyId id={failedAt} /></>}</Note>;
}
