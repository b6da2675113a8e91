import { NativeSelect, Table } from '@mantine/core';
import { useState } from 'react';
import { models as texts } from '#texts/models';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { ButtonLink } from '../../components/link';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { SearchBox } from '../../components/search-box';
import { useNarrow } from '../../components/use-narrow';
import { exactCount } from '../../format/count';
import { Announcements } from './announcements';
import { foundModels, type Model, MODEL_SORTS, type ModelSort, priceOf } from './model-facts';
import { InPlan, ModelName, Reasoning } from './model-parts';
import facts from '../../components/facts.module.css';
import classes from './models.module.css';

const LIST_HEIGHT = 320;
const { columns } = texts;

interface ModelsProps {
  readonly models: readonly Model[];
}

function Rows({ models }: ModelsProps) {
  return (
    <Table.ScrollContainer minWidth={760} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': texts.title, role: 'region' } }}>
      <Table className={classes['table'] ?? ''} verticalSpacing={8} horizontalSpacing={10}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.model}</Table.Th>
            <Table.Th scope="col" className={classes['right']}>{columns.prompt}</Table.Th><Table.Th scope="col" className={classes['right']}>{columns.output}</Table.Th>
            <Table.Th scope="col" className={classes['right']}>{columns.context}</Table.Th><Table.Th scope="col" className={classes['right']}>{columns.maximum}</Table.Th>
            <Table.Th scope="col">{columns.reasoning}</Table.Th><Table.Th scope="col">{columns.plan}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((model) => (
            <Table.Tr key={model.id} className={model.in_plan ? '' : classes['out']}>
              <Table.Td className={classes['name']}><ModelName model={model} />{model.description !== undefined && <div className="muted in-text">{model.description}</div>}</Table.Td>
              <Table.Td className={`${classes['right']} num`}>{priceOf(model, 'prompt')}</Table.Td>
              <Table.Td className={`${classes['right']} num`}>{priceOf(model, 'output')}</Table.Td>
              <Table.Td className={`${classes['right']} num`}>{exactCount(model.context_window)}</Table.Td>
              <Table.Td className={`${classes['right']} num`}>{exactCount(model.max_output_tokens)}</Table.Td>
              <Table.Td><Reasoning model={model} /></Table.Td>
              <Table.Td><InPlan model={model} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Cards({ models }: ModelsProps) {
  return (
    <ul className={classes['cards']}>
      {models.map((model) => (
        <li key={model.id} className={classes['card']}>
          <div className={classes['head']}>
            <span><ModelName model={model} /></span>
            {model.in_plan ? <ButtonLink to="/playground" search={{ model: model.id }} variant="default" mih={44} aria-label={texts.tryModel(model.id)}>{texts.tryIt}</ButtonLink> : <InPlan model={model} />}
          </div>
          {model.description !== undefined && <p className="muted">{model.description}</p>}
          <dl className={facts['facts']}>
            <dt>{columns.prompt}</dt><dd className="num">{priceOf(model, 'prompt')}</dd>
            <dt>{columns.output}</dt><dd className="num">{priceOf(model, 'output')}</dd>
            <dt>{columns.context}</dt><dd className="num">{exactCount(model.context_window)}</dd>
            <dt>{columns.maximum}</dt><dd className="num">{exactCount(model.max_output_tokens)}</dd>
            <dt>{columns.reasoning}</dt><dd><Reasoning model={model} /></dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Found({ models }: ModelsProps) {
  const narrow = useNarrow();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<ModelSort>('plan');
  const found = foundModels(models, { search, sort });
  return (
    <>
      <div className={classes['find']}>
        <SearchBox label={texts.search} placeholder={texts.search} value={search} onSearch={setSearch} />
        <NativeSelect aria-label={texts.sort} data={MODEL_SORTS.map((value) => ({ value, label: texts.sorts[value] }))} value={sort} onChange={({ currentTarget: { value } }) => setSort(MODEL_SORTS.find((one) => one === value) ?? 'plan')} />
      </div>
      {found.length === 0 ? <Card><EmptyState title={texts.noMatch} /></Card> : narrow ? <Cards models={found} /> : <Rows models={found} />}
    </>
  );
}

export function ModelsPage() {
  const query = useRoute('listModels', {});
  const hasModels = query.data?.data.some(({ in_plan: inPlan }) => inPlan) ?? false;
  return (
    <Page title={texts.title} help={texts.help} action={hasModels && <ButtonLink to="/playground">{texts.tryIt}</ButtonLink>}>
      <Part query={query} height={LIST_HEIGHT}>
        {({ data }) => (
          <>
            {!hasModels && <Card><EmptyState title={texts.empty} /></Card>}
            <Announcements models={data} />
            {data.length > 0 && <Found models={data} />}
          </>
        )}
      </Part>
    </Page>
  );
}
