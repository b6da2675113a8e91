import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { audit } from '#texts/audit';
import { call, type Reply } from '../../../api/call';
import { Card } from '../../../components/card';
import { EmptyState } from '../../../components/empty-state';
import { FormProblem } from '../../../components/form-problem';
import { Instant } from '../../../components/instant';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { auditQuery, type AuditSearch } from './audit-filters';
import { AuditFilterBar } from './audit-filter-bar';
import { AuditList } from './audit-list';

type Verification = Reply<'verifyAudit'>;

/** Query key under which the cache keeps the last result. */
const VERIFIED = ['verifyAudit'] as const;

function Verified({ verification }: { readonly verification: Verification | null }) {
  if (verification === null) return <span className="muted">{audit.notVerified}</span>;
  const { entries, first_broken_entry: broken, fault, verified_at: at } = verification;
  if (broken === null) return <Note kind="good" announced>{audit.sound(entries)} <Instant at={at} precise /></Note>;
  return <Note kind="bad" role="alert">{audit.broken(broken)} {fault === null ? '' : audit.faults[fault]} {audit.brokenNext} <Instant at={at} precise /></Note>;
}

export function AuditPage() {
  const search: AuditSearch = useSearch({ from: '/shell/operator/audit' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: verification = null } = useQuery<Verification | null>({ queryKey: VERIFIED, queryFn: () => null, enabled: false, staleTime: Infinity });
  const verify = useMutation({ mutationFn: () => call('verifyAudit', {}), onSuccess: (result) => { client.setQueryData(VERIFIED, result); } });
  const change = (next: AuditSearch) => void navigate({ to: '/operator/audit', search: next });
  const clear = <Button variant="default" onClick={() => change({})}>{audit.clear}</Button>;
  return (
    <Page title={audit.title} help={audit.help} action={<Button loading={verify.isPending} onClick={() => verify.mutate()}>{audit.verify}</Button>}>
      <Card title={audit.chain}>
        <Verified verification={verification} />
        <FormProblem error={verify.error} />
      </Card>
      <AuditFilterBar search={search} onChange={change} />
      <AuditList label={audit.list} query={auditQuery(search)} empty={<EmptyState title={audit.none} help={audit.noneHelp} action={clear} />} />
    </Page>
  );
}
