/* Letters and parcels through one long queue to a consumer who sends a receipt for every parcel.
 *
 * Stresses: long queues. Almost every step shifts or extends a queue, and the queue is reached with all contents.
 */
#ifndef LENGTH
#define LENGTH 9
#endif

mtype = { letter, parcel, receipt };

chan post = [LENGTH] of { mtype, bit };
chan receipts = [LENGTH] of { mtype };

active proctype writer() {
    do
    :: post!letter(0)
    :: post!letter(1)
    od
}

active proctype packer() {
    do
    :: post!parcel(0)
    :: receipts?receipt
    od
}

active proctype consumer() {
    bit colour = 0;

    do
    :: post?letter(colour)
    :: post?parcel(_) -> receipts!receipt
    od
}
