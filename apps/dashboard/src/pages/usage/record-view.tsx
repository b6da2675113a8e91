import { Badge } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { usage } from '#texts/usage';
import { hasCode, isApiError } from '../../api/api-error';
import { CopyId } from '../../components/copy-id';
import { EmptyState } from '../../components/empty-state';
import { ButtonLink } from '../../components/link';
import { Part } from '../../components/part';
import { ChargeTable } from './charge-table';
import { EndingBadge } from './ending';
import { LedgerEntries } from './ledger-entries';
import { RecordDetails } from './record-details';
import { RecordTimeline } from './record-timeline';
import type { UsageDetail } from './usage-rows';
import type { Scope } from './usage-search';
import classes from './record.module.css';

interface RecordViewProps {
  readonly scope: Scope;
  readonly query: UseQueryResult<UsageDetail>;
  readonly keyName: (id: string) => string;
}

const texts = usage.record;
const RECORD_HEIGHT = 640;
const BAD_REQUEST = 400;

export function RecordView({ scope, query, keyName }: RecordViewProps) {
  const { error } = query;
  if (hasCode(error, 'not_found') || (isApiError(error) && error.status === BAD_REQUEST)) {
    const back = scope === 'own' ? <ButtonLink to="/usage" variant="default">{texts.toUsage}</ButtonLink> : <ButtonLink to="/operator/usage" variant="default">{texts.toUsage}</ButtonLink>;
    return <EmptyState title={scope === 'own' ? texts.notFound : texts.anyNotFound} action={back} />;
  }
  return (
    <Part query={query} height={RECORD_HEIGHT}>
      {(record) => (
        <div className={classes['record']}>
          <div className={classes['head']}><CopyId id={record.request_id} whole /></div>
          <div className={classes['tags']}>
            <EndingBadge reason={record.end_reason} />
            {record.format !== null && <Badge color="gray">{texts.formats[record.format]}</Badge>}
            <Badge color="gray">{record.streamed ? texts.streamed : texts.whole}</Badge>
            <Badge color="gray">{texts.sources[record.usage_source]}</Badge>
          </div>
          <div className={classes['wide']}>
            <div className={classes['half']}>
              <ChargeTable record={record} />
              <LedgerEntries record={record} />
            </div>
            <div className={classes['half']}>
              <RecordTimeline record={record} />
              <RecordDetails {...{ record, scope, keyName }} />
            </div>
          </div>
        </div>
      )}
    </Part>
  );
}
