// The function that the Rust standard library takes random numbers from, for versions of Wine without it.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    const SIZE_T most = 1 << 20;
    while (length > 0) {
        ULONG part = (ULONG)(length < most ? length : most);
        if (!SystemFunction036(buffer, part)) return FALSE;
        buffer += part;
        length -= part;
    }
    return TRUE;
}
