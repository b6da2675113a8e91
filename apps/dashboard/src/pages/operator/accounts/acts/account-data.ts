import { useQueryClient } from '@tanstack/react-query';
import { useCallback, type ReactNode } from 'react';
import type { Reply } from '../../../../api/call';
import { keyOf } from '../../../../api/use-route';

export type AccountDetail = Reply<'readAccount'>;

/** Result of an act, shown above the tabs. */
export interface Outcome {
  readonly kind: 'good' | 'info' | 'warning';
  readonly text: ReactNode;
  readonly audited: boolean;
}

export interface ActProps {
  readonly account: AccountDetail;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: (outcome: Outcome) => void;
}

export function done(text: ReactNode): Outcome {
  return { kind: 'good', text, audited: true };
}

export function unchanged(text: ReactNode): Outcome {
  return { kind: 'info', text, audited: false };
}

const LISTS = ['listAccounts', 'listMoneyActs', 'listAudit', 'listKeysOfAccount', 'listBlocks', 'listAllUsage'] as const;

/** Returns a function that invalidates all cached data that depend on accounts. */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      ...(['readAccount', 'readAnyUsage', 'listCreditsOfAccount', 'listSessionsOfPerson', 'viewOverview', 'nameHolders'] as const).map((name) => client.invalidateQueries({ queryKey: keyOf(name) })),
      ...LISTS.map((name) => client.invalidateQueries({ queryKey: ['list', name] })),
    ]);
  }, [client]);
}
