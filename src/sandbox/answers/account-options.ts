// The options of onboarding: identifiers, their texts in English and Spanish, and the keys of their translations.
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { exact, type Wire } from '../wire-json.ts';

type Option = {
  readonly id: string;
  readonly en: readonly [name: string, description: string];
  readonly es: readonly [name: string, description: string];
};

const EMPLOYMENT: readonly Option[] = [
  {
    id: 'employed',
    en: ['Employed', 'Works for an employer'],
    es: ['Empleado', 'Trabaja por cuenta ajena'],
  },
  {
    id: 'self-employed',
    en: ['Self-employed', 'Works on their own account'],
    es: ['Autónomo', 'Trabaja por cuenta propia'],
  },
  { id: 'student', en: ['Student', 'Studies'], es: ['Estudiante', 'Estudia'] },
  { id: 'retired', en: ['Retired', 'Draws a pension'], es: ['Jubilado', 'Cobra una pensión'] },
  {
    id: 'unemployed',
    en: ['Unemployed', 'Is looking for work'],
    es: ['Desempleado', 'Busca trabajo'],
  },
];

const FUNDS: readonly Option[] = [
  { id: 'salary', en: ['Salary', 'Income from work'], es: ['Salario', 'Ingresos del trabajo'] },
  { id: 'savings', en: ['Savings', 'Money saved'], es: ['Ahorros', 'Dinero ahorrado'] },
  { id: 'business', en: ['Business', 'Income of a company'], es: ['Empresa', 'Ingresos de una empresa'] },
  {
    id: 'inheritance',
    en: ['Inheritance', 'Inherited or donated'],
    es: ['Herencia', 'Heredado o donado'],
  },
  { id: 'investments', en: ['Investments', 'Gains and yields'], es: ['Inversiones', 'Ganancias y rentas'] },
];

const PROFESSIONS: readonly Option[] = [
  { id: 'administration', en: ['Administration', 'Office work'], es: ['Administración', 'Oficina'] },
  { id: 'education', en: ['Education', 'Teaching'], es: ['Educación', 'Enseñanza'] },
  { id: 'finance', en: ['Finance', 'Banking and insurance'], es: ['Finanzas', 'Banca y seguros'] },
  { id: 'health', en: ['Health', 'Care of patients'], es: ['Sanidad', 'Atención a pacientes'] },
  {
    id: 'technology',
    en: ['Technology', 'Software and systems'],
    es: ['Tecnología', 'Programas y sistemas'],
  },
];

const PURPOSES: readonly Option[] = [
  { id: 'investment', en: ['Investment', 'Long-term holding'], es: ['Inversión', 'A largo plazo'] },
  { id: 'trading', en: ['Trading', 'Frequent orders'], es: ['Negociación', 'Órdenes frecuentes'] },
  { id: 'payments', en: ['Payments', 'Paying and being paid'], es: ['Pagos', 'Pagar y cobrar'] },
];

const listed = (data: readonly Wire[]): SandboxAnswer => ({ data: { total: data.length, data } });

/** Texts in the language of the request; English where there is no other. */
const texts =
  (options: readonly Option[]) =>
  ({ query }: Question): SandboxAnswer => {
    const language = query.langCode === 'es' ? 'es' : 'en';
    return listed(
      options.map(({ id, [language]: [name, description] }) => ({
        id,
        name,
        description,
        langCode: language,
      })),
    );
  };

const keys = (list: string, options: readonly Option[]) => (): SandboxAnswer =>
  listed(
    options.map(({ id }) => ({ id, name: `${list}.${id}.name`, description: `${list}.${id}.description` })),
  );

const RANGES: readonly (readonly [id: string, minimum: string, maximum: string])[] = [
  ['up-to-1000', '0', '1000'],
  ['up-to-10000', '1000', '10000'],
  ['up-to-50000', '10000', '50000'],
  ['over-50000', '50000', '1000000'],
];

const estimations = (): SandboxAnswer =>
  listed(RANGES.map(([id, minimum, maximum]) => ({ id, minimum: exact(minimum), maximum: exact(maximum) })));

export const accountOptions: Answers = {
  'deposit-estimations': estimations,
  'employment-statuses': keys('employment-status', EMPLOYMENT),
  'employment-statuses-v1': texts(EMPLOYMENT),
  'funds-origins': keys('funds-origin', FUNDS),
  'funds-origins-v1': texts(FUNDS),
  professions: keys('professions', PROFESSIONS),
  'professions-v1': texts(PROFESSIONS),
  purposes: keys('purposes', PURPOSES),
  'purposes-v1': texts(PURPOSES),
};
