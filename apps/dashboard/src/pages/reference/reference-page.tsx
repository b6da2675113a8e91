import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { common } from '#texts/common';
import { reference as texts } from '#texts/reference';
import { Card } from '../../components/card';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { type OpenApi, routesByTag } from './openapi';
import { Method, OperationView } from './operation-view';
import { anchorOf, SchemaView, Words } from './schema-view';
import classes from './reference.module.css';

type Surface = keyof typeof texts.surfaces;
const SURFACES = Object.keys(texts.surfaces) as readonly Surface[];

function addressOf(surface: Surface): string {
  return surface === 'v1' ? '/openapi.json' : `/openapi.json?surface=${surface}`;
}

async function load(surface: Surface): Promise<OpenApi> {
  const reply = await fetch(addressOf(surface), { credentials: 'omit' });
  if (!reply.ok) throw new Error(String(reply.status));
  return await reply.json() as OpenApi;
}

function Contents({ document }: { readonly document: OpenApi }) {
  return (
    <nav aria-label={texts.contents} className={classes['contents']}>
      {routesByTag(document, texts.untagged).map(([tag, routes]) => (
        <section key={tag}>
          <h2>{tag}</h2>
          <ul>{routes.map(({ method, path, operation }) => <li key={operation.operationId}><a href={`#${operation.operationId}`}><Method method={method} /> <span>{path}</span></a></li>)}</ul>
        </section>
      ))}
    </nav>
  );
}

function Shapes({ document }: { readonly document: OpenApi }) {
  return (
    <section className={classes['group']}>
      <h2>{texts.shapes}</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <div key={name} id={anchorOf(name)} className={classes['operation']}>
          <Card title={name}>
            <p className="in-text"><Words text={schema.description ?? ''} /></p>
            <SchemaView schema={schema} />
          </Card>
        </div>
      ))}
    </section>
  );
}

function Description({ document }: { readonly document: OpenApi }) {
  return (
    <div className={classes['columns']}>
      <Contents document={document} />
      <div className={classes['routes']}>
        <p className="in-text"><Words text={document.info.description} /></p>
        {routesByTag(document, texts.untagged).map(([tag, routes]) => (
          <section key={tag} className={classes['group']}>
            <h2>{tag}</h2>
            {routes.map((route) => <OperationView key={route.operation.operationId} route={route} />)}
          </section>
        ))}
        <Shapes document={document} />
      </div>
    </div>
  );
}

/** The reference of the API, from its own OpenAPI document. Open to anyone. */
export function ReferencePage() {
  const { surface: wanted } = useSearch({ from: '/reference' });
  const surface = SURFACES.find((one) => one === wanted) ?? 'v1';
  const navigate = useNavigate();
  const query = useQuery({ queryKey: ['openapi', surface], queryFn: () => load(surface), staleTime: 'static' });
  const choose = (next: string) => void navigate({ to: '/reference', search: next === 'v1' ? {} : { surface: next } });
  return (
    <div className={classes['layout']}>
      <header className={classes['bar']}><TextLink to="/">{common.product}</TextLink></header>
      <main className={classes['main']}>
        <Page title={texts.title} action={<a href={addressOf(surface)}>{texts.document}</a>}>
          <SegmentedControl className={classes['surfaces'] ?? ''} aria-label={texts.surface} value={surface} onChange={choose} data={SURFACES.map((value) => ({ value, label: texts.surfaces[value] }))} />
          {query.isPending && <output>{texts.loading}</output>}
          {query.isError && <Note kind="bad">{texts.failed} <Button variant="default" size="xs" onClick={() => void query.refetch()}>{texts.retry}</Button></Note>}
          {query.data !== undefined && <Description document={query.data} />}
        </Page>
      </main>
    </div>
  );
}
