import { playground as texts } from '#texts/playground';
import { hasCode, isApiError } from '../../api/api-error';
import { CopyId } from '../../components/copy-id';
import { Note } from '../../components/note';
import { useMe } from '../../session/person';

/** Says why a request was refused before its reply began. */
export function RefusalNote({ refusal, wait }: { readonly refusal: unknown; readonly wait: number }) {
  const { settings: { credit_line: creditLine } } = useMe();
  if (refusal === null) return null;
  if (!isApiError(refusal)) return <Note kind="bad" role="alert">{texts.failed}</Note>;
  if (hasCode(refusal, 'insufficient_balance')) {
    // The gateway's message already ends with the operator's line, if there is one.
    return <Note kind="warning" role="alert">{refusal.message} {creditLine === null ? texts.notEnough : null}</Note>;
  }
  if (refusal.status === 429) return <Note kind="warning" role="alert">{wait > 0 ? texts.limited(refusal.message, wait) : refusal.message}</Note>;
  return <Note kind="bad" role="alert">{refusal.message}{refusal.requestId !== null && refusal.status >= 500 && <> <CopyId id={refusal.requestId} /></>}</Note>;
}
