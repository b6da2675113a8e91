import { Table } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { common } from '#texts/common';
import { models as texts } from '#texts/models';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { CopyId } from '../../components/copy-id';
import { ButtonLink, TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { utcDay } from '../../format/instant';
import { NotFoundPage } from '../../shell/not-found-page';
import { Announcements } from './announcements';
import { type Model, nextPriceOf, priceClassesOf, priceOf } from './model-facts';
import { InPlan, Reasoning } from './model-parts';
import { ModelSnippets } from './model-snippets';
import facts from '../../components/facts.module.css';
import classes from './models.module.css';

const FACTS_HEIGHT = 240;

function Facts({ model }: { readonly model: Model }) {
  return (
    <Card title={texts.facts}>
      <dl className={facts['facts']}>
        <dt>{texts.id}</dt><dd><CopyId id={model.id} whole /></dd>
        {model.aliases.length > 0 && <><dt>{texts.aliases}</dt><dd className="mono">{model.aliases.join(', ')}</dd></>}
        {model.description !== undefined && <><dt>{texts.description}</dt><dd>{model.description}</dd></>}
        {model.input_modalities !== undefined && <><dt>{texts.reads}</dt><dd>{model.input_modalities.map((kind) => texts.modalities[kind]).join(', ')}</dd></>}
        <dt>{texts.provider}</dt><dd>{model.owned_by}</dd>
        <dt>{texts.columns.context}</dt><dd className="num">{texts.tokens(model.context_window)}</dd>
        <dt>{texts.columns.maximum}</dt><dd className="num">{texts.tokens(model.max_output_tokens)}</dd>
        <dt>{texts.columns.reasoning}</dt><dd><Reasoning model={model} /></dd>
        {model.simulated && <><dt>{texts.simulated}</dt><dd>{texts.yes}</dd></>}
        {model.shutdown_date !== null && <><dt>{texts.end}</dt><dd>{common.inUtc(model.shutdown_date)}</dd></>}
        <dt>{texts.columns.plan}</dt><dd><InPlan model={model} /></dd>
      </dl>
      <p className="in-text"><TextLink to="/usage" search={{ model: model.id }}>{texts.spent}</TextLink></p>
    </Card>
  );
}

function Prices({ model }: { readonly model: Model }) {
  const { next_price: next } = model;
  return (
    <Card title={texts.prices}>
      <Table className={classes['prices'] ?? ''} verticalSpacing={6} horizontalSpacing={4}>
        <Table.Thead><Table.Tr><Table.Th scope="col">{texts.price}</Table.Th><Table.Th scope="col" className={classes['right']}>{texts.perMillion}</Table.Th>{next !== null && <Table.Th scope="col" className={classes['right']}>{texts.from(utcDay(next.from))}</Table.Th>}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {priceClassesOf(model).map((tokenClass) => (
            <Table.Tr key={tokenClass}>
              <Table.Td>{texts.classes[tokenClass]}</Table.Td><Table.Td className={`${classes['right']} num`}>{priceOf(model, tokenClass)}</Table.Td>
              {next !== null && <Table.Td className={`${classes['right']} num`}>{nextPriceOf(model, next, tokenClass)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

export function ModelPage() {
  const { id } = useParams({ from: '/shell/models/$id' });
  const query = useRoute('listModels', {});
  const model = query.data?.data.find((one) => one.id === id || one.aliases.includes(id));
  if (query.data !== undefined && model === undefined) return <NotFoundPage />;
  const tryIt = model?.in_plan === true && <ButtonLink to="/playground" search={{ model: model.id }}>{texts.tryIt}</ButtonLink>;
  return (
    <Page title={model?.display_name ?? id} action={tryIt}>
      <div className="in-text"><TextLink to="/models">{texts.back}</TextLink></div>
      <Part query={query} height={FACTS_HEIGHT}>
        {({ data }) => model !== undefined && (
          <div className={classes['page']}>
            <Announcements models={[model]} />
            {!model.in_plan && <Note kind="info">{texts.unavailable}</Note>}
            <div className={classes['two']}>
              <Facts model={model} />
              <Prices model={model} />
            </div>
            {model.in_plan && <ModelSnippets model={model} models={data} />}
          </div>
        )}
      </Part>
    </Page>
  );
}
