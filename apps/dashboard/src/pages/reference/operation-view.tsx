import { Badge } from '@mantine/core';
import { reference as texts } from '#texts/reference';
import { Card } from '../../components/card';
import type { Content, Route } from './openapi';
import { SchemaView, TypeView, Words } from './schema-view';
import classes from './reference.module.css';

const COLOURS: Readonly<Record<string, string>> = { GET: 'blue', POST: 'green', PATCH: 'orange', PUT: 'orange', DELETE: 'red' };

export function Method({ method }: { readonly method: string }) {
  return <Badge color={COLOURS[method] ?? 'gray'} variant="light" className={classes['method'] ?? ''}>{method}</Badge>;
}

function ContentView({ content }: { readonly content: Content }) {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <div key={type} className={classes['content']}>
          <p className="in-text muted"><code>{type}</code></p>
          {schema['x-event-data'] === undefined ? <SchemaView schema={schema} /> : <p className="in-text"><Words text={schema.description ?? ''} /> {texts.stream}: <TypeView schema={schema['x-event-data']} /></p>}
          {example !== undefined && <details><summary>{texts.example}</summary><pre className={classes['example']}>{JSON.stringify(example, null, 2)}</pre></details>}
        </div>
      ))}
    </>
  );
}

/** One route: what it does, what it takes and what it answers. */
export function OperationView({ route: { method, path, operation } }: { readonly route: Route }) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return (
    <div id={operationId} className={classes['operation']}>
      <Card title={<><Method method={method} /> <span className={classes['path']}>{path}</span></>} label={summary}>
        <p className="in-text"><strong>{summary}</strong> <Words text={description} /></p>
        {parameters.length > 0 && (
          <section>
            <h3>{texts.parameters}</h3>
            <dl className={classes['members']}>
              {parameters.map((parameter) => (
                <div key={parameter.name} className={classes['member']}>
                  <dt><code>{parameter.name}</code> <span className="muted">{parameter.in}</span> <TypeView schema={parameter.schema} />{parameter.required === true && <span className={classes['required']}> {texts.required}</span>}</dt>
                  <dd><Words text={parameter.description ?? ''} /></dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {requestBody !== undefined && <section><h3>{texts.body}</h3><ContentView content={requestBody.content} /></section>}
        <section>
          <h3>{texts.replies}</h3>
          {Object.entries(responses).map(([status, reply]) => (
            <details key={status} className={classes['reply']}>
              <summary><strong>{status}</strong> <Words text={reply.description} /></summary>
              {reply.content !== undefined && <ContentView content={reply.content} />}
            </details>
          ))}
        </section>
      </Card>
    </div>
  );
}
