import { Button, Table } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { upstreams as texts } from '#texts/upstreams';
import { call, type Reply } from '../../../api/call';
import { keyOf, useRoute } from '../../../api/use-route';
import { Card } from '../../../components/card';
import { EmptyState } from '../../../components/empty-state';
import { FormProblem } from '../../../components/form-problem';
import { Instant } from '../../../components/instant';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import cards from '../../../components/rows-as-cards.module.css';
import { Status } from '../../../components/status';
import { exactCount } from '../../../format/count';
import { duration } from '../../../format/duration';
import { ModelLabel } from '../../models/model-label';
import classes from './upstreams.module.css';

type Upstream = Reply<'listUpstreams'>['data'][number];
type UpstreamModel = Upstream['models'][number];

const REFRESH_EVERY = 5_000;

const TONES = { untried: 'neutral', answering: 'good', failing: 'bad' } as const;

/** State of a model: green only if it answered its last call. */
function State({ model: { state, circuit, failing_since: since } }: { readonly model: UpstreamModel }) {
  return (
    <span>
      <Status value={state} tone={TONES[state]} />
      {since !== null && <> <span className={classes['small']}>{texts.since} <Instant at={since} />{circuit === 'open' && ` · ${texts.paused}`}</span></>}
    </span>
  );
}

function ModelRow({ model }: { readonly model: UpstreamModel }) {
  const { first_token_ms: times, last_failure: failure, last_success_at: success } = model;
  return (
    <Table.Tr>
      <Table.Th scope="row"><ModelLabel id={model.model} />{model.upstream_model !== model.model && <div className={classes['small']}>{model.upstream_model}</div>}</Table.Th>
      <Table.Td data-label={texts.state}><State model={model} /></Table.Td>
      <Table.Td data-label={texts.answers} className={`${classes['right']} num`}>{exactCount(model.answers)}</Table.Td>
      <Table.Td data-label={texts.failures} className={`${classes['right']} num`}>{exactCount(model.failures)}</Table.Td>
      <Table.Td data-label={texts.firstToken} className={`${classes['right']} num`}>{times === null ? '–' : texts.firstTokenTimes(duration(times.p50), duration(times.p95))}</Table.Td>
      <Table.Td data-label={texts.lastSuccess}>{success === null ? texts.never : <Instant at={success} relative />}</Table.Td>
      <Table.Td data-label={texts.lastFailure}>{failure === null ? texts.never : <span><Instant at={failure.at} relative /> <span className={classes['small']}>{failure.reason.replaceAll(/[-_]/g, ' ')}</span></span>}</Table.Td>
    </Table.Tr>
  );
}

function TestResult({ result }: { readonly result: Reply<'testUpstream'> }) {
  if (result.outcome === 'answered') return <Note kind="good">{texts.answered(result.model, duration(result.milliseconds ?? 0))}</Note>;
  return <Note kind="bad">{texts.refused(result.model, result.message ?? result.reason ?? '')}</Note>;
}

function UpstreamCard({ upstream }: { readonly upstream: Upstream }) {
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => call('testUpstream', { params: { id: upstream.id }, body: {} }), onSettled: () => client.invalidateQueries({ queryKey: keyOf('listUpstreams') }),
  });
  return (
    <Card
      title={upstream.id}
      aside={upstream.models.length > 0 && <Button variant="default" size="xs" loading={test.isPending} aria-label={texts.testLabel(upstream.id)} title={texts.testing} onClick={() => test.mutate()}>{texts.test}</Button>}
    >
      <span className="muted">{texts.kinds[upstream.kind]} · <span className="mono">{upstream.base_url ?? texts.builtIn}</span></span>
      <output>{test.data !== undefined && <TestResult result={test.data} />}</output>
      <FormProblem error={test.error} />
      {upstream.models.length === 0 ? <span className="muted">{texts.noModels}</span> : (
        <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': upstream.id } }}>
          <Table horizontalSpacing="sm" className={cards['table']}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.model}</Table.Th><Table.Th>{texts.state}</Table.Th><Table.Th className={classes['right']}>{texts.answers}</Table.Th><Table.Th className={classes['right']}>{texts.failures}</Table.Th>
                <Table.Th className={classes['right']}>{texts.firstToken}</Table.Th><Table.Th>{texts.lastSuccess}</Table.Th><Table.Th>{texts.lastFailure}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{upstream.models.map((model) => <ModelRow key={`${model.model} ${model.upstream_model}`} model={model} />)}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  );
}

export function UpstreamsPage() {
  const query = useRoute('listUpstreams', {}, { refetchInterval: REFRESH_EVERY });
  return (
    <Page title={texts.title} help={texts.help}>
      <Part query={query} height={320}>
        {({ data }) => (data.length === 0
          ? <Card><EmptyState title={texts.empty} help={texts.emptyHelp} /></Card>
          : data.map((upstream) => <UpstreamCard key={upstream.id} upstream={upstream} />))}
      </Part>
    </Page>
  );
}
