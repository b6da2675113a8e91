import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { vouchers as texts } from '#texts/vouchers';
import { hasCode } from '../../../api/api-error';
import { call } from '../../../api/call';
import { keyOf, useRoute } from '../../../api/use-route';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { DangerDialog } from '../../../components/confirm-dialog';
import { CopyId } from '../../../components/copy-id';
import { useFreshCall } from '../../../components/fresh-proof';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { Status } from '../../../components/status';
import { exactCount } from '../../../format/count';
import { NotFoundPage } from '../../../shell/not-found-page';
import { VoucherUses } from './voucher-uses';
import { TimeOrNever, Uses, type VoucherBatch } from './vouchers-page';
import facts from '../../../components/facts.module.css';
import classes from './vouchers.module.css';

const FACTS_HEIGHT = 280;
const { batch: labels, columns } = texts;

function Terms({ batch }: { readonly batch: VoucherBatch }) {
  const { credit_expires_after_days: days } = batch;
  return (
    <Card title={labels.facts}>
      <dl className={facts['facts']}>
        <dt>{labels.id}</dt><dd><CopyId id={batch.id} /></dd>
        <dt>{columns.status}</dt><dd><Status value={batch.status} /></dd>
        <dt>{columns.amount}</dt><dd><Amount value={batch.svc_tokens} /></dd>
        <dt>{columns.codes}</dt><dd className="num">{exactCount(batch.code_count)}</dd>
        <dt>{labels.perCode}</dt><dd className="num">{exactCount(batch.uses_per_code)}</dd>
        <dt>{columns.uses}</dt><dd><Uses {...batch} /></dd>
        <dt>{columns.expires}</dt><dd><TimeOrNever at={batch.expires_at} /></dd>
        <dt>{labels.credit}</dt><dd>{days === null ? texts.never : labels.creditAfter(days)}</dd>
        <dt>{columns.created}</dt><dd><Instant at={batch.created_at} /></dd>
        {batch.revoked_at !== null && <><dt>{labels.revoked}</dt><dd><Instant at={batch.revoked_at} /></dd></>}
        {batch.note !== null && <><dt>{labels.note}</dt><dd>{batch.note}</dd></>}
      </dl>
    </Card>
  );
}

function OneBatch({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const fresh = useFreshCall();
  const query = useRoute('readVoucherBatch', { params: { id } });
  const [isRevoking, setRevoking] = useState(false);
  const [isRevoked, setRevoked] = useState(false);
  const batch = query.data;
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  const revoke = async () => {
    client.setQueryData(keyOf('readVoucherBatch', { params: { id } }), await fresh(() => call('revokeVoucherBatch', { params: { id } })));
    setRevoked(true);
    void client.invalidateQueries({ queryKey: ['list'] });
  };
  const action = batch !== undefined && batch.status !== 'revoked' && <Button variant="outline" color="red" onClick={() => setRevoking(true)}>{texts.revoke.action}</Button>;
  return (
    <Page title={batch?.name ?? labels.title} action={action}>
      <div className="in-text"><TextLink to="/operator/vouchers">{labels.back}</TextLink></div>
      {isRevoked && <Note kind="good" announced action={<TextLink to="/operator/audit" search={{ action: 'voucher-batch.revoked' }}>{texts.auditEntry}</TextLink>}>{texts.revoke.done}</Note>}
      <div className={classes['page']}>
        <Part query={query} height={FACTS_HEIGHT}>{(one) => <Terms batch={one} />}</Part>
        <VoucherUses id={id} />
      </div>
      {batch !== undefined && (
        <DangerDialog opened={isRevoking} title={texts.revoke.title(batch.name)} effect={texts.revoke.effect} action={texts.revoke.action} onConfirm={revoke} onClose={() => setRevoking(false)} />
      )}
    </Page>
  );
}

/** Keyed by id, so that another batch's title takes the focus. */
export function VoucherBatchPage() {
  const { id } = useParams({ from: '/shell/operator/vouchers/$id' });
  return <OneBatch key={id} id={id} />;
}
