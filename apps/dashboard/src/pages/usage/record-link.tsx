import { shortId } from '../../format/id';
import type { Scope } from './usage-search';

interface RecordLinkProps {
  readonly scope: Scope;
  readonly requestId: string;
}

const PAGES: Readonly<Record<Scope, string>> = { own: '/dashboard/usage/', all: '/dashboard/operator/usage/' };

/** The address of a record's own page. The list opens it in its own way, as `data-row-link` asks it to: lists have no room for the router's links. */
export function RecordLink({ scope, requestId }: RecordLinkProps) {
  return <a className="mono" title={requestId} href={PAGES[scope] + requestId} data-row-link>{shortId(requestId)}</a>;
}
