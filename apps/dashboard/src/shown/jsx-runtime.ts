import { Fragment, jsx as create, jsxs as createMany, type JSX } from 'react/jsx-runtime';
import { shown } from '../format/shown';

/** Properties whose text is visible. Values of inputs are unchanged. */
const READ = ['children', 'title', 'label', 'description', 'aria-label', 'alt', 'data'] as const;

type Props = Readonly<Record<string, unknown>>;

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shown(value);
  return Array.isArray(value) && value.some((each) => typeof each === 'string') ? value.map((each: unknown) => (typeof each === 'string' ? shown(each) : each)) : value;
}

interface Option {
  readonly label: string;
}

function isOption(value: unknown): value is Option {
  return typeof value === 'object' && value !== null && 'label' in value && typeof value.label === 'string';
}

/** Shows hidden characters in the labels of options; their values stay as they are. */
function shownOptions(value: unknown): unknown {
  if (!Array.isArray(value) || !value.some((each) => isOption(each) && shown(each.label) !== each.label)) return value;
  return value.map((each: unknown) => (isOption(each) ? { ...each, label: shown(each.label) } : each));
}

function shownProps(props: Props): Props {
  const changed = READ.flatMap((name) => {
    const value = props[name];
    const after = name === 'data' ? shownOptions(value) : shownValue(value);
    return after === value ? [] : [[name, after] as const];
  });
  return changed.length === 0 ? props : { ...props, ...Object.fromEntries(changed) };
}

/** JSX runtime of all pages, so that every text from other people, such as a name or a reason, passes through `shown`. */
export const jsx: typeof create = (type, props, key) => create(type, shownProps(props as Props), key);
export const jsxs: typeof createMany = (type, props, key) => createMany(type, shownProps(props as Props), key);
export { Fragment, type JSX };
