import type { ReactNode } from 'react';
import { RowMark, useRowOpen } from '../../components/row-detail';
import type { Scope } from './usage-search';

interface RecordLinkProps {
  readonly scope: Scope;
  readonly requestId: string;
  readonly children: ReactNode;
}

const PAGES: Readonly<Record<Scope, string>> = { own: '/dashboard/usage/', all: '/dashboard/operator/usage/' };

/** A plain link, because a router link for each row is too expensive. Lists find it by `data-row-link` and open the record. */
export function RecordLink({ scope, requestId, children }: RecordLinkProps) {
  const isOpen = useRowOpen();
  return <a title={requestId} href={PAGES[scope] + requestId} data-row-link aria-expanded={isOpen ?? undefined}><RowMark />{children}</a>;
}
