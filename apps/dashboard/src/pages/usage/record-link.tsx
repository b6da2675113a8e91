import { shortId } from '../../format/id';
import type { Scope } from './usage-search';

interface RecordLinkProps {
  readonly scope: Scope;
  readonly requestId: string;
}

const PAGES: Readonly<Record<Scope, string>> = { own: '/dashboard/usage/', all: '/dashboard/operator/usage/' };

/** A plain link, since a router link per row is too expensive; lists open it through `data-row-link`. */
export function RecordLink({ scope, requestId }: RecordLinkProps) {
  return <a className="mono" title={requestId} href={PAGES[scope] + requestId} data-row-link>{shortId(requestId)}</a>;
}
