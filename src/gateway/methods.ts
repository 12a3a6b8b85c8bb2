// The methods of a client, as types: one for each operation of the contract, with what it takes and what it answers.
import type { z } from 'zod';
import type { Totp } from './attempt.ts';
import type { CONTRACT } from './contract/contract.ts';

type Contract = typeof CONTRACT;

/** A part of a request: none if it has no fields, and optional if none of them is required. */
type Field<Name extends string, Value> = string extends keyof Value
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** A whole number may be written as a number. */
type QueryValue<Value> = string extends Value ? Value | number : Value;

type PathOf<O> = O extends { readonly pathParts: infer Parts extends z.ZodType }
  ? Field<'path', z.input<Parts>>
  : unknown;

type QueryOf<O> = O extends { readonly query: infer Query extends z.ZodType }
  ? Field<'query', { readonly [Key in keyof z.input<Query>]: QueryValue<z.input<Query>[Key]> }>
  : unknown;

type BodyOf<O> = O extends { readonly body: infer Body extends z.ZodType }
  ? undefined extends z.input<Body>
    ? { readonly body?: Exclude<z.input<Body>, undefined> }
    : { readonly body: z.input<Body> }
  : unknown;

type RequestOf<O> = {
  /** The subaccount's user id; absent for the account of the key. */
  readonly subaccount?: string;
  /** The code of the second factor. */
  readonly totp?: Totp;
} & PathOf<O> &
  QueryOf<O> &
  BodyOf<O>;

/** Numbers are the text that the service sent; a file is its bytes. */
type AnswerOf<O> = O extends { readonly isFile: true }
  ? Uint8Array
  : O extends { readonly answer: infer Answer extends z.ZodType }
    ? z.output<Answer>
    : never;

type Method<O> =
  object extends RequestOf<O>
    ? (request?: RequestOf<O>) => Promise<AnswerOf<O>>
    : (request: RequestOf<O>) => Promise<AnswerOf<O>>;

/** By area, and by the name of the operation in it. */
export type Methods = {
  readonly [Area in keyof Contract]: {
    readonly [Name in keyof Contract[Area]]: Method<Contract[Area][Name]>;
  };
};
