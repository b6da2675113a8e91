import { Button } from '@mantine/core';
import { isApiError } from '../api/api-error';
import { common } from '#texts/common';
import { CopyId } from './copy-id';
import { Note } from './note';

/** Shows an error with its request id, and a retry button if `onRetry` is given. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: (() => void) | undefined }) {
  const requestId = isApiError(error) ? error.requestId : null;
  return (
    <Note kind="bad" role="alert" action={onRetry !== undefined && <Button size="xs" variant="default" onClick={onRetry}>{common.tryAgain}</Button>}>
      <span>{isApiError(error) ? error.message : common.failed}</span>
      {requestId !== null && <> <CopyId id={requestId} /></>}
    </Note>
  );
}
