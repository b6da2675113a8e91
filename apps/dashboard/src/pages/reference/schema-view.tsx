import { reference as texts } from '#texts/reference';
import { componentOf, membersOf, type Schema, typeOf } from './openapi';
import classes from './reference.module.css';

/** Text with `code` between backticks. */
export function Words({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

export function anchorOf(component: string): string {
  return `shape-${component}`;
}

/** Type of a schema; names of components are links. */
export function TypeView({ schema }: { readonly schema: Schema }) {
  const words = typeOf(schema, texts);
  const component = componentOf(schema) ?? (schema.items === undefined ? null : componentOf(schema.items));
  return component === null ? <code className={classes['type']}>{words}</code> : <a className={classes['type']} href={`#${anchorOf(component)}`}>{words}</a>;
}

/** Members with their descriptions; inner members open on demand. */
export function SchemaView({ schema }: { readonly schema: Schema }) {
  const members = membersOf(schema);
  if (members.length === 0) return <p className="in-text"><TypeView schema={schema} /></p>;
  return (
    <dl className={classes['members']}>
      {members.map(([name, member, isRequired], index) => (
        <div key={`${name}-${index}`} className={classes['member']}>
          <dt><code>{name}</code> <TypeView schema={member} />{isRequired && <span className={classes['required']}> {texts.required}</span>}</dt>
          <dd>
            {member.description !== undefined && <Words text={member.description} />}
            {membersOf(member).length > 0 && <details><summary>{texts.more}</summary><SchemaView schema={member} /></details>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
