import type { JsonObject, Tool } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';

/** A text with its number of tokens in a vocabulary of 200,000 entries (o200k). */
export interface CountedText {
  readonly name: string;
  readonly tokens: number;
  readonly text: string;
}

export const COUNTED_TEXTS: readonly CountedText[] = [
  {
    name: 'English prose', tokens: 94,
    text: 'The harbour was quiet in the early morning. A few boats moved slowly towards the open sea, and the smell of bread drifted over from the bakery on the corner. Nobody spoke much; there would be time enough for talk when the nets were dry and the fish had been sold. Later in the day the market filled with people who had come from the villages along the coast to buy vegetables, cloth and tools, and to hear what had happened since the week before.',
  },
  {
    name: 'TypeScript', tokens: 102,
    text: 'export function findLongest(words: readonly string[]): string | null {\n  let longest: string | null = null;\n  for (const word of words) {\n    if (longest === null || word.length > longest.length) {\n      longest = word;\n    }\n  }\n  return longest;\n}\n\nconst result = findLongest([\'one\', \'three\', \'seventeen\']);\nconsole.log(`The longest word is ${result ?? \'none\'}, out of ${3 + 4 * 100} letters.`);\n',
  },
  {
    name: 'Python', tokens: 121,
    text: 'import json\nfrom pathlib import Path\n\n\nclass Inventory:\n    """Keeps how many of each item there are."""\n\n    def __init__(self, path: Path) -> None:\n        self.path = path\n        self.items = {}\n\n    def load(self) -> None:\n        with self.path.open(encoding="utf-8") as handle:\n            self.items = json.load(handle)\n\n    def add(self, name: str, count: int = 1) -> int:\n        self.items[name] = self.items.get(name, 0) + count\n        return self.items[name]\n',
  },
  {
    name: 'JSON', tokens: 112,
    text: '{\n  "id": "order-20418",\n  "customer": { "name": "Ada", "city": "Turin", "active": true },\n  "lines": [\n    { "sku": "A-100", "quantity": 3, "price": 12.5 },\n    { "sku": "B-275", "quantity": 1, "price": 199.99 }\n  ],\n  "total": 237.49,\n  "currency": "EUR",\n  "notes": null\n}\n',
  },
  {
    name: 'Chinese', tokens: 96,
    text: '今天早上下了一场小雨，空气很清新。我在公园里散步的时候，看见几位老人正在打太极拳，还有一些孩子在湖边喂鱼。中午我和同事一起去了一家新开的餐馆，点了三个菜和一碗汤，味道都很不错。下午我们开会讨论了下个月的工作计划，决定先解决用户反馈最多的问题，然后再开发新的功能。',
  },
  {
    name: 'Japanese', tokens: 86,
    text: '朝早く起きて、近くの川まで散歩に行きました。空は青く、風も気持ちよくて、とても静かでした。帰り道に小さなパン屋さんに寄って、焼きたてのパンを買いました。午後は図書館で本を読みながら、ゆっくり過ごすつもりです。',
  },
  {
    name: 'Russian', tokens: 60,
    text: 'Рано утром мы вышли из дома и отправились на вокзал. Поезд опоздал на двадцать минут, поэтому мы успели выпить кофе и поговорить о планах на неделю. В городе нас встретил старый друг, который показал нам музей и набережную.',
  },
  {
    name: 'German', tokens: 52,
    text: 'Am Abend saßen wir noch lange am Tisch und erzählten von der Reise. Draußen regnete es, und im Ofen brannte ein kleines Feuer. Am nächsten Tag wollten wir früh aufstehen, um den ersten Zug in die Berge zu nehmen.',
  },
  {
    name: 'Markdown', tokens: 106,
    text: '# Setting up\n\n1. Install the tools with `npm install`.\n2. Copy `.env.example` to `.env` and fill in the values.\n3. Run `npm start`; the address is printed when it is ready.\n\n| Setting | Default | Meaning |\n|---|---|---|\n| `PORT` | 8080 | Where it listens. |\n| `LOG_LEVEL` | info | How much is logged. |\n\n> **Note:** see [the guide](docs/guide.md) for more.\n',
  },
  {
    name: 'Chinese, longer', tokens: 164,
    text: '昨天晚上我们一家人去外婆家吃饭。外婆做了红烧鱼、炒青菜和一大锅排骨汤，大家都吃得很开心。吃完饭以后，爸爸和外公下棋，妈妈帮外婆洗碗，我和弟弟在院子里看星星。天气有点冷，可是天空特别干净，弟弟说他看见了一颗流星。回家的路上，他问我长大以后想做什么，我想了想，说想当一名老师。请你帮我写一封邮件，告诉老板我明天要请假，因为孩子生病了，语气要客气一点。人工智能可以帮助我们完成很多工作，但是最后的决定还是要由人来做。',
  },
  {
    name: 'Russian, longer', tokens: 146,
    text: 'Вчера вечером мы всей семьёй поехали к бабушке. Она приготовила суп, пирог с яблоками и чай с лимоном. После ужина папа и дедушка играли в шахматы, мама помогала мыть посуду, а мы с братом смотрели на звёзды. Было холодно, но небо было очень чистым. По дороге домой брат спросил меня, кем я хочу стать, и я ответил, что хочу быть учителем. Напиши, пожалуйста, короткое письмо начальнику: завтра я не смогу прийти на работу, потому что ребёнок заболел. Сколько времени нужно, чтобы научиться хорошо говорить на новом языке?',
  },
  {
    name: 'Japanese, longer', tokens: 155,
    text: '昨日の夜、家族みんなで祖母の家に行って、晩ご飯を食べました。祖母は魚の煮物と野菜の天ぷらを作ってくれました。食事のあと、父と祖父は将棋をして、母は食器を洗うのを手伝いました。私と弟は庭に出て星を見ました。少し寒かったけれど、空はとてもきれいでした。明日は会社を休みたいので、上司に送る丁寧なメールを書いてください。新しい言葉を覚えるには、毎日少しずつ続けることが大切だと思います。',
  },
  {
    name: 'English, longer', tokens: 122,
    text: 'Last night we all went over to my grandmother\'s house for dinner. She made fish, some greens, and a big pot of soup, and everyone ate far too much. After dinner my father played chess with my grandfather while my mother helped with the dishes, and my brother and I sat outside and looked at the stars. It was cold but the sky was very clear. Please write a short email to my boss to say that I will not be at work tomorrow because my son is ill. How long does it take to learn to speak a new language well if you practise for half an hour every day?',
  },
  {
    name: 'Spanish', tokens: 107,
    text: 'Anoche fuimos todos a cenar a casa de la abuela. Hizo pescado, verduras y una olla grande de sopa, y comimos demasiado. Después de cenar mi padre jugó al ajedrez con el abuelo y mi madre ayudó con los platos. Mi hermano y yo salimos a mirar las estrellas. Hacía frío, pero el cielo estaba muy claro. Escribe por favor un correo corto a mi jefe para decirle que mañana no iré a trabajar porque mi hijo está enfermo.',
  },
  {
    name: 'French', tokens: 109,
    text: 'Hier soir, nous sommes tous allés dîner chez ma grand-mère. Elle avait préparé du poisson, des légumes et une grande soupe, et tout le monde a trop mangé. Après le repas, mon père a joué aux échecs avec mon grand-père et ma mère a aidé à faire la vaisselle. Mon frère et moi, nous avons regardé les étoiles. Écris s\'il te plaît un court message à mon chef pour lui dire que je ne viendrai pas demain parce que mon fils est malade.',
  },
  {
    name: 'German, longer', tokens: 95,
    text: 'Gestern Abend waren wir alle bei meiner Großmutter zum Essen. Es gab Fisch, Gemüse und eine große Schüssel Suppe, und alle haben viel zu viel gegessen. Danach spielte mein Vater mit meinem Großvater Schach, und meine Mutter half beim Abwasch. Mein Bruder und ich saßen draußen und sahen uns die Sterne an. Schreib bitte eine kurze Nachricht an meinen Chef, dass ich morgen nicht zur Arbeit komme, weil mein Sohn krank ist.',
  },
  {
    name: 'Korean', tokens: 122,
    text: '어제 저녁에 우리 가족은 모두 할머니 댁에 가서 저녁을 먹었습니다. 할머니께서 생선과 나물과 국을 만들어 주셨는데 정말 맛있었습니다. 식사가 끝난 뒤에 아버지는 할아버지와 바둑을 두셨고 어머니는 설거지를 도와드렸습니다. 나와 동생은 마당에 나가서 별을 보았습니다. 내일은 아이가 아파서 회사에 갈 수 없다고 상사에게 보낼 짧은 메일을 써 주세요.',
  },
];

/** Prints instructions and tools as a model's chat template does. The instructions are paraphrased with the same number of tokens. */
export type ToolTemplate = (tools: readonly ToolDescription[]) => string;

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const objectOf = (properties: JsonObject, required: readonly string[]): JsonObject => ({ type: 'object', properties, required: [...required] });

const WEATHER: ToolDescription = {
  name: 'get_weather',
  description: 'Tells what the weather is like in a town.',
  parameters: objectOf({ town: text('The town'), unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } }, ['town']),
};

const ACTIONS = ['search', 'list', 'create', 'update', 'delete', 'read', 'write', 'send', 'open', 'close', 'move'];

const RECORD_TOOLS: readonly ToolDescription[] = ACTIONS.map((action) => ({
  name: `${action}_records`,
  description: `Call this to ${action} records of the archive. It gives the records that it touched, the newest first.`,
  parameters: objectOf({
    id: text('Which record it is about'),
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many to give at most' },
    filters: { type: 'array', items: objectOf({ field: { type: 'string' }, value: { type: 'string' } }, ['field', 'value']) },
    dry_run: { type: 'boolean' },
  }, ['id']),
}));

export const TOOL_LISTS: readonly (readonly ToolDescription[])[] = [1, 4, 12].map((count) => [WEATHER, ...RECORD_TOOLS].slice(0, count));

export function toTool({ name, description, parameters }: ToolDescription): Tool {
  return { name, description, inputSchema: jsonDocument(parameters) };
}

/** JSON with a space after each comma and colon, as template engines print it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`).join(', ')}}`;
}

const wrapped = (tool: ToolDescription): object => ({ type: 'function', function: tool });

export const TOOL_TEMPLATES: Readonly<Record<string, ToolTemplate>> = {
  /** Prints one line per tool, between tags, as Hermes and Qwen do. */
  'a line each': (tools) => `# Functions\n\nYou can use any of the functions below while you work on what the user asks for.\n\nTheir signatures stand between <tools></tools> tags:\n<tools>${tools.map((tool) => `\n${spaced(wrapped(tool))}`).join('')}\n</tools>\n\nTo use one, write a JSON object with its name and its arguments between <tool_call></tool_call> tags:\n<tool_call>\n{"name": <name-of-function>, "arguments": <object-of-arguments>}\n</tool_call>`,
  /** Prints tools indented by four spaces, as Llama 3 does. */
  'indented': (tools) => `Environment: tools\nHere are functions; answer with the JSON of a call to the one that fits best, with the arguments it needs, to do what the user asks for.\n\nWrite it as {"name": name of the function, "parameters": object of argument names and values}. Use no variables.\n\n${tools.map((tool) => `${JSON.stringify(wrapped(tool), null, 4)}\n\n`).join('')}`,
  /** Prints a list without instructions, as Mistral does. */
  'a bare list': (tools) => `[TOOLS]${spaced(tools.map(wrapped))}[/TOOLS]`,
};
