/** The payouts of the corpus: invented people, and account numbers that fit their banks' check digits. */
export const words = ['name', 'country', 'bank_name', 'account_number', 'amount', 'reference'];
export const ada = ['Ada Obi', 'Nigeria', 'First Bank of Nigeria', '0000014579', 350_000, 'PO 7781'] as const;
export const ade = ['Ade Bello', 'Nigeria', 'Guaranty Trust Bank', '0123456785', 250_000, 'INV 204'] as const;
export const thandi = ['Thandi Mokoena', 'South Africa', 'Standard Bank', '10004291601', 12_500, 'SALARY NOV'] as const;
